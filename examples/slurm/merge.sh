#!/bin/bash
# One store of those of a job array.
#SBATCH --job-name=tacos-merge
#SBATCH --time=00:10:00

tacos sweep merge results/mine-*-of-8.db -o results/mine.db
