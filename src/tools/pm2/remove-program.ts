import type { StepKind } from '../../core/change.ts'
import { Problem } from '../../core/problem.ts'
import { finalStep, isSame } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { removeAccount } from './account.ts'
import { accountName, directory, serviceName, unitPath } from './layout.ts'
import { RemovalFailed } from './problems.ts'

/** What is there of the gateway. */
interface Parts {
  readonly hasUnit: boolean
  readonly isActive: boolean
  readonly isEnabled: boolean
  readonly hasDirectory: boolean
  readonly hasAccount: boolean
}

const none: Parts = {
  hasUnit: false,
  isActive: false,
  isEnabled: false,
  hasDirectory: false,
  hasAccount: false,
}

/** The step that ends the gateway and removes all that belongs to it; returns what was done. */
export const removeProgram = (host: Host): StepKind<null, Parts, { output: string }> =>
  finalStep<null, Parts, { output: string }>({
    name: 'pm2.remove-program',
    plan: () => ({
      title: 'Stop the gateway and remove it',
      details: [`${directory}, ${unitPath} and the account ${accountName} are removed`],
    }),
    why: 'the gateway must be installed again',
    observe: () => partsOn(host),
    act: async () => ({ output: (await removed(host)).join('\n') }),
    isDone: async (_args, before) => {
      const now = await partsOn(host)
      if (isSame(now, none)) return true
      return isSame(now, before) ? false : undefined
    },
  })

async function partsOn({ files, services, accounts }: Host): Promise<Parts> {
  const hasUnit = (await files.facts(unitPath)) !== undefined
  const status = hasUnit ? await services.status(serviceName) : undefined
  return {
    hasUnit,
    isActive: status?.active ?? false,
    isEnabled: status?.enabled ?? false,
    hasDirectory: (await files.facts(directory)) !== undefined,
    hasAccount: (await accounts.find(accountName)) !== undefined,
  }
}

/** Each part may be missing: an installation, or a removal, may have been broken off. */
async function removed({ files, services, accounts, run }: Host): Promise<readonly string[]> {
  const done: string[] = []
  try {
    if ((await files.facts(unitPath)) !== undefined) {
      const { active, enabled } = await services.status(serviceName)
      if (active) await services.act(serviceName, 'stop')
      if (enabled) await services.act(serviceName, 'disable')
      await files.remove(unitPath)
      await services.reloadUnits()
      done.push(`The service ${serviceName} was stopped and removed`)
    }
    const account = await accounts.find(accountName)
    if (account !== undefined) await accounts.endProcesses(account)
    if ((await files.facts(directory)) !== undefined) {
      await files.removeTree(directory)
      done.push(`${directory} was removed`)
    }
    if (account !== undefined) {
      await removeAccount(run)
      done.push(`The account ${accountName} was removed`)
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw RemovalFailed(error.message, { fields: { output: [...done, error.message].join('\n') } })
  }
  return done.length === 0 ? ['There was nothing to remove'] : done
}
