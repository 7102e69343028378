import { step } from '../../core/change.ts'
import { ruledOwners, sitesUnderRules } from '../websites/index.ts'
import type { Belongings, Deletion } from '../users/index.ts'
import { nginxLock, removed } from './apply.ts'
import { appliedFile, ownerFile } from './config/files.ts'
import type { Webacl } from './context.ts'
import { rulesLock } from './owner.ts'

/** The access rules of a deleted user end with the websites, also those that cannot be read. */
export async function rulesOfDeleted(on: Webacl, { user }: Deletion): Promise<Belongings> {
  const [hasRules, owners] = await Promise.all([on.configs.has(user.id), ruledOwners(on.websites)])
  const former = owners.find(({ owner }) => owner === user.id)
  const under = former && (await sitesUnderRules(on.websites, user.id, undefined))
  if (!hasRules && under === undefined) return {}
  const { steps, rows = [] } = {
    steps: [
      ...(under ? [step(on.nginx.steps.writeAccess, { owners: under.owners, sites: [] })] : []),
      ...removed(on, user.id, former?.digest),
      step(on.configs.write, ownerFile(user.id, null)),
      step(on.configs.write, appliedFile(user.id, null)),
    ],
    rows: under?.rows,
  }
  return {
    details: ['The access rules of their websites are removed'],
    locks: [rulesLock(user.id), ...(under ? [nginxLock] : [])],
    steps,
    rows,
  }
}
