"""Seconds of one pass over 12000 samples in PyTorch: the other half of bench/rivals."""
import sys
import time

import torch

SAMPLES, BATCH = 12000, 128

torch.set_num_threads(1)
x = torch.rand(SAMPLES, 1024)
y = torch.randint(0, 2, (SAMPLES,))
net = torch.nn.Sequential(
    torch.nn.Linear(1024, 400), torch.nn.ReLU(),
    torch.nn.Linear(400, 400), torch.nn.ReLU(),
    torch.nn.Linear(400, 2),
)
kinds = {"adam": torch.optim.Adam, "sgd": torch.optim.SGD, "adagrad": torch.optim.Adagrad}
optimizer = kinds[sys.argv[1]](net.parameters(), lr=1e-3)
loss = torch.nn.CrossEntropyLoss()


def train():
    for at in range(0, SAMPLES, BATCH):
        optimizer.zero_grad(set_to_none=True)
        loss(net(x[at:at + BATCH]), y[at:at + BATCH]).backward()
        optimizer.step()


train()  # allocations and first touches
start = time.perf_counter()
train()
print(f"{time.perf_counter() - start:.4f}")
