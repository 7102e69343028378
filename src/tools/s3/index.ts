export { bucketUrl, urlOf } from './address.ts'
export {
  type ObjectStore,
  openObjectStore,
  type ObjectStoreSettings,
  type StoredObject,
} from './object-store.ts'
export { ObjectDamaged, ObjectStoreFailed } from './problems.ts'
