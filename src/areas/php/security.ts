import { type Change, change } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { isPoolSetting, type PhpRules, phpSites, phpVersionLock, renewedPools } from '../websites/index.ts'
import type { PhpArea } from './context.ts'
import type { PhpSecurity, PhpSecurityEdit } from './model.ts'
import { SettingInvalid } from './problems.ts'
import { phpExceptions, phpSecurity } from './store.ts'
import { phpLock } from './versions.ts'

/** Returns what the PHP of all websites may not do, with the exceptions. */
export async function readSecurity({ queries }: PhpArea): Promise<PhpSecurity> {
  const { disabled_functions, settings } = phpSecurity.show(await queries.security())
  return { disabled_functions, settings, exceptions: await queries.exceptions() }
}

/** Returns the rules as the pools of websites apply them. */
export async function readRules(on: PhpArea): Promise<PhpRules> {
  return rulesOf(await readSecurity(on))
}

type Rules = Pick<PhpSecurity, 'disabled_functions' | 'settings'> & {
  readonly exceptions: readonly Pick<
    PhpSecurity['exceptions'][number],
    'website_id' | 'functions' | 'settings'
  >[]
}

function rulesOf({ disabled_functions: functions, settings, exceptions }: Rules): PhpRules {
  const byWebsite = new Map(exceptions.map((each) => [each.website_id, each]))
  return {
    functionsOf: (id) => functions.filter((each) => !byWebsite.get(id)?.functions.includes(each)),
    settingsOf: (id) => {
      const excepted = byWebsite.get(id)?.settings ?? []
      return Object.fromEntries(Object.entries(settings).filter(([name]) => !excepted.includes(name)))
    },
  }
}

/** Restricts the PHP of all websites, and reloads their pools. */
export async function changeSecurity(on: PhpArea, edit: PhpSecurityEdit): Promise<Change<{ success: true }>> {
  const was = await readSecurity(on)
  const next: Rules = {
    disabled_functions: [...new Set(edit.disabled_functions ?? was.disabled_functions)],
    settings: edit.settings ?? was.settings,
    exceptions: (edit.exceptions ?? was.exceptions).map(({ website_id, functions = [], settings = [] }) => ({
      website_id,
      functions,
      settings,
    })),
  }
  assertRules(next)
  if (edit.exceptions !== undefined) await assertWebsites(on, next)
  const { disabled_functions, settings, exceptions } = next
  const pools = await renewedPools(on.websites, { rules: rulesOf(next) })
  return change({
    summary: 'Restrict the PHP of all websites',
    locks: [phpLock, ...(await on.tool.versions()).map((each) => phpVersionLock(each)), ...pools.locks],
    steps: pools.steps,
    rows: [
      phpSecurity.update(await on.queries.security(), { disabled_functions, settings }),
      ...(edit.exceptions === undefined
        ? []
        : [
            ...was.exceptions.map(({ website_id }) => phpExceptions.delete({ website_id })),
            ...exceptions.map((each) => phpExceptions.insert(phpExceptions.row(each))),
          ]),
    ],
    reply: success,
  })
}

function assertRules({ settings }: Rules): void {
  for (const name of Object.keys(settings)) {
    if (isPoolSetting(name))
      throw SettingInvalid(`settings: ${name} is set for each website: change the limits of websites`)
    if (name === 'disable_functions')
      throw SettingInvalid('settings: disable_functions is set by disabled_functions')
  }
}

async function assertWebsites({ websites }: PhpArea, { exceptions }: Rules): Promise<void> {
  const known = new Set((await phpSites(websites)).map(({ id }) => id))
  const seen = new Set<number>()
  for (const { website_id: id } of exceptions) {
    if (!known.has(id))
      throw SettingInvalid(`exceptions: the website ${id} does not exist, or is not of type php`)
    if (seen.has(id)) throw SettingInvalid(`exceptions: the website ${id} occurs twice`)
    seen.add(id)
  }
}
