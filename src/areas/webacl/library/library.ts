import type { Webacl } from '../context.ts'
import { loadOwner, type OwnerRequest } from '../owner.ts'
import { templates } from './rules.ts'

/** Lists the rules that all owners share, and ready rulesets. */
export async function readLibrary(on: Webacl, request: OwnerRequest) {
  await loadOwner(on, request)
  return { rules: (await on.configs.readLibrary()).rules, templates }
}
