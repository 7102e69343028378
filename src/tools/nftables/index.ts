import { detectByVersion } from '../detection.ts'
import { tool } from '../tool.ts'
import { type Ban, restoreBans, setBan } from './bans.ts'
import { keepTable } from './keep-table.ts'
import { bootFile, loadTable, readTable } from './load-table.ts'
import { type Listing, parseListing } from './listing.ts'
import { listRuleset, loadText } from './nft.ts'

export { type Ban, banKey } from './bans.ts'
export type { ForeignChain, Listing } from './listing.ts'
export { RulesRefused } from './nft.ts'
export { digestIn, renderTable } from './render-table.ts'
export { admittedMark, type NftRule } from './rule.ts'

/** The packet filter of the kernel. */
export const nftables = tool({
  name: 'nftables',
  title: 'nftables',
  packages: ['nftables'],
  detect: detectByVersion(['nft', '--version']),
  steps: ({ host }) => ({ loadTable: loadTable(host), keepTable: keepTable(host), setBan: setBan(host) }),
  verbs: ({ host }) => ({
    /** Lists the rules of all owners, with their counters. */
    list: async (): Promise<Listing> => parseListing(await listRuleset(host)),
    /** Returns the text of which the panel's table in the kernel was made; undefined if there is none. */
    readTable: () => readTable(host),
    /** Loads the table that the host starts with; a no-op if it starts with none. */
    restoreTable: async (): Promise<void> => {
      const text = await host.files.read(bootFile)
      if (text !== undefined) await loadText(host, text)
    },
    /** Bans addresses again where the kernel has lost them; a no-op where it has the table of bans. */
    restoreBans: (bans: readonly Ban[]) => restoreBans(host, bans),
  }),
})
