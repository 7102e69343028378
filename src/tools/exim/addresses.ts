import { BadRequest } from '../../core/problem.ts'
import { findValue, lookupFile } from './lookup-file.ts'

interface AddressEdit {
  /** A Linux account. */
  readonly account: string
  /** Null for the account at the name of the host. */
  readonly address: string | null
}

/** The addresses that mail of local accounts is sent from, in `/etc/email-addresses`. */
export const addresses = lookupFile<AddressEdit>({
  concerns: (key, { account }) => key === account,
  entry: ({ account, address }) => {
    if (address === null) return null
    if (!/^[^\s,;:<>()"]+@[^\s,;:<>()"@]+$/.test(address))
      throw BadRequest('default_from: must be one address')
    return { key: account, value: address }
  },
  mask: (line) => line,
})

/** Returns the address that mail of an account is sent from; undefined if it has none of its own. */
export const readAddress = (text: string, account: string): string | undefined =>
  findValue(text, (key) => key === account)
