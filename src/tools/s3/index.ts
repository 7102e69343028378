export { urlOf } from './address.ts'
export { openObjectStore, type ObjectStore, type ObjectStoreSettings } from './object-store.ts'
export { ObjectDamaged, ObjectStoreFailed } from './problems.ts'
