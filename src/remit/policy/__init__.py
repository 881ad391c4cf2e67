"""May it do this now? The gate, the projector and the transaction buffer. Pure: no clock, no disk, no network."""

from remit.policy.gate import Gate, Standing, gate_table, standing

__all__ = ["Gate", "Standing", "gate_table", "standing"]
