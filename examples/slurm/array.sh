#!/bin/bash
# A sweep as a job array: every element makes an eighth of the runs, into a store of its own.
#SBATCH --job-name=tacos
#SBATCH --array=1-8
#SBATCH --cpus-per-task=16
#SBATCH --time=04:00:00
#SBATCH --signal=INT@60
#SBATCH --requeue
#SBATCH --open-mode=append

export TACOS_DATA=/scratch/$USER/tacos-data
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" tacos sweep ./mine.conf --part "$SLURM_ARRAY_TASK_ID/8"
