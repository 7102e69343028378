export { urlOf } from './address.ts'
export { openObjectStore, type ObjectStoreSettings } from './object-store.ts'
export { ObjectStoreFailed } from './problems.ts'
