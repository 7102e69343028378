import type { Webacl } from '../context.ts'
import { loadOwner, type OwnerRequest } from '../owner.ts'
import { templates } from './rules.ts'

/** Lists the rules that all owners share, and ready rulesets. */
export async function readLibrary(on: Webacl, request: OwnerRequest, now: Date) {
  await loadOwner(on, request)
  const { rules } = await on.configs.readLibrary()
  return { rules, templates, countries: await on.countries.state(now) }
}
