/** Photos that could not be sent: kept in the browser (IndexedDB) until they are, even over a reload. */

const NAME = "crokinole";
const STORE = "uploads";

function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function within(mode, work) {
  const base = await opened();
  return new Promise((resolve, reject) => {
    const transaction = base.transaction(STORE, mode);
    const request = work(transaction.objectStore(STORE));
    transaction.oncomplete = () => (base.close(), resolve(request.result));
    transaction.onabort = transaction.onerror = () => (base.close(), reject(transaction.error));
  });
}

/** Keeps `{key, table, photo, name, fields}`; the same key again replaces it. */
export const keep = (upload) => within("readwrite", (store) => store.put(upload));

/** Forgets the upload of a key. */
export const forget = (key) => within("readwrite", (store) => store.delete(key));

/** The uploads kept for a table. */
export const kept = async (table) =>
  (await within("readonly", (store) => store.getAll())).filter((upload) => upload.table === table);
