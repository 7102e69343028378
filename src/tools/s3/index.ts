export { isPlainKey, isPlainPart, urlOf } from './address.ts'
export {
  openObjectStore,
  type ObjectStore,
  type ObjectStoreSettings,
  type StoredObject,
} from './object-store.ts'
export { ObjectDamaged, ObjectRetained, ObjectStoreFailed } from './problems.ts'
