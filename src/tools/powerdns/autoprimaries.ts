import Type, { type Static } from 'typebox'
import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { parserOf, type PowerdnsApi } from './api.ts'

/** A primary whose zones a secondary creates when it is notified of them. */
export interface Autoprimary {
  readonly ip: string
  /** The host name that the zones name among their name servers. */
  readonly nameserver: string
}

interface AutoprimaryArgs {
  /** Null for none. */
  readonly autoprimary: Autoprimary | null
}

/** Marks those that the panel registered. */
const account = 'hostreeve'
const ApiAutoprimary = Type.Object({ ip: Type.String(), nameserver: Type.String(), account: Type.String() })
const parse = parserOf(Type.Array(ApiAutoprimary))

/** The step that registers the autoprimary of the panel; those of others stay. */
export function setAutoprimary(api: PowerdnsApi): StepKind<AutoprimaryArgs, Was<Autoprimary>, null> {
  const own = async (): Promise<readonly Static<typeof ApiAutoprimary>[]> =>
    parse((await api.read('/autoprimaries')) ?? []).filter((one) => one.account === account)
  return stateStep<AutoprimaryArgs, Autoprimary>({
    name: 'powerdns.set-autoprimary',
    plan: ({ autoprimary }) => ({
      title:
        autoprimary === null
          ? 'Create no zones for a primary'
          : `Create the zones that ${autoprimary.ip} notifies of`,
    }),
    read: async () => {
      const [first] = await own()
      return first && { ip: first.ip, nameserver: first.nameserver }
    },
    wanted: ({ autoprimary }) => autoprimary ?? undefined,
    write: async (_args, wanted) => {
      for (const { ip, nameserver } of await own())
        await api.write({ method: 'DELETE', path: `/autoprimaries/${ip}/${nameserver}` })
      if (wanted !== undefined)
        await api.write({ method: 'POST', path: '/autoprimaries', body: { ...wanted, account } })
    },
  })
}
