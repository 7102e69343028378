export { isPlainKey, isPlainPart, objectUrl, urlOf } from './address.ts'
export {
  openObjectStore,
  type ObjectStore,
  type ObjectStoreSettings,
  type StoredObject,
} from './object-store.ts'
export { ObjectDamaged, ObjectRetained, ObjectStoreFailed } from './problems.ts'
