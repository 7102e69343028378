export { authdns } from './area.ts'
export type { Authdns } from './context.ts'
export { type AddressRecord, assertSwitchable, switchAddress } from './record-address.ts'
