export {
  type AddressOptions,
  type Addresses,
  type Asker,
  openAddresses,
  type PinnedAddress,
} from './addresses.ts'
export * as fetchProblems from './problems.ts'
export { isAddress, isInternal, isV4, type Ranges, rangesOf } from './ranges.ts'
export type { Exchanged } from './exchange.ts'
export { type Fetch, type Fetched, type FetchOptions, openFetch } from './fetch.ts'
export { portOf, readUrl, shownUrl } from './url.ts'
