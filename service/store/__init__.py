"""Tables, migrations and transactions. Start at `service.store.store.Store`."""

from service.store.store import Store, StoreBusy

__all__ = ["Store", "StoreBusy"]
