import { Problem } from '../../../core/problem.ts'
import type { Host } from '../../../host/index.ts'
import { fetchProblems } from '../../../host/fetch/index.ts'

type Exchange = Host['fetch']['exchange']

/** Sends a request to a certificate authority, or to where it leads. */
export type AskAuthority = (asked: Omit<Parameters<Exchange>[0], 'asker'>) => ReturnType<Exchange>

/**
 * Binds the requests to the rules on outbound addresses (decision 1.11). The directory that the configuration names may be
 * at an internal address; what it links to at other hosts or ports was chosen by somebody else. `directory` is empty where
 * the configuration names none.
 */
export function openAuthority(
  { exchange }: Pick<Host['fetch'], 'exchange'>,
  directory: string,
): AskAuthority {
  const own = URL.parse(directory)?.origin
  return async (asked) => {
    const url = URL.parse(asked.url)
    const isOwn = own !== undefined && url?.origin === own
    try {
      return await exchange({ ...asked, asker: { isAdmin: isOwn } })
    } catch (cause) {
      if (url === null || !(cause instanceof Problem) || cause.kind !== fetchProblems.AddressRefused)
        throw cause
      throw fetchProblems.AddressRefused(
        `url: ${url.host} is refused: at internal addresses, the panel asks the host and port of the setting acme_directory alone, and networks of the setting outbound_allow`,
        { cause },
      )
    }
  }
}
