#!/bin/bash
# One sweep on many nodes: the processes share its runs through MPI, and the first writes the store.
#SBATCH --job-name=tacos
#SBATCH --nodes=16
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=64
#SBATCH --time=01:00:00
#SBATCH --signal=INT@60
#SBATCH --requeue
#SBATCH --open-mode=append

export TACOS_DATA=/scratch/$USER/tacos-data
srun --mpi=pmix --cpus-per-task="$SLURM_CPUS_PER_TASK" tacos sweep ./mine.conf
