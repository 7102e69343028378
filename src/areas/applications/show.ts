import type { AppEntry } from './catalog/entry.ts'

/** Returns where an application is, and where its administrator signs in. */
export function addressesOf({ sign_in: signIn }: AppEntry, domain: string, isCertified: boolean) {
  const url = `${isCertified ? 'https' : 'http'}://${domain}`
  return { url: `${url}/`, sign_in_url: signIn === undefined ? null : `${url}${signIn}` }
}
