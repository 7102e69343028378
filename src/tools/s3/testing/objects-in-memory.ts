import { readFile, writeFile } from 'node:fs/promises'
import type { ObjectStore } from '../object-store.ts'
import { ObjectStoreFailed } from '../problems.ts'

/** A bucket in memory, without a server. */
export function objectsInMemory(objects: Map<string, Buffer>): ObjectStore {
  const found = (key: string) => {
    const bytes = objects.get(key)
    if (bytes === undefined) throw ObjectStoreFailed(`there is no object ${key}`)
    return bytes
  }
  return {
    assertBucket: async () => {},
    put: async (key, path) => void objects.set(key, await readFile(path)),
    get: async (key, path) => writeFile(path, found(key)),
    read: async (key) => found(key),
    list: async (prefix) =>
      [...objects]
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, bytes]) => ({ key, sizeBytes: bytes.length, modifiedAt: new Date(0) })),
    endUploads: async () => {},
    remove: async (key) => void objects.delete(key),
  }
}
