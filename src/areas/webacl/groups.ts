import { parseNetwork } from '../../host/networks.ts'
import type { AccessConfig } from './config/model.ts'
import type { Webacl } from './context.ts'
import { limits } from './model.ts'
import { editRules, loadOwner, type OwnerRequest } from './owner.ts'
import { EntryInvalid, GroupExists, GroupNotFound, GroupUsed, TooMany } from './problems.ts'
import { completeRule } from './library-rules.ts'

type OfGroup = OwnerRequest & { readonly name: string }

/** Lists an owner's groups. */
export async function listGroups(on: Webacl, request: OwnerRequest) {
  const { groups } = await on.configs.read((await loadOwner(on, request)).id)
  return groups.map((group) => show(group))
}

/** Adds an empty group. */
export function createGroup(
  on: Webacl,
  { name, description = '', ...request }: OfGroup & { description?: string },
) {
  return editRules(on, request, ({ owner, config }) => {
    if (config.groups.some((each) => each.name === name)) throw GroupExists(`name: "${name}" exists already`)
    if (config.groups.length >= limits.groups) throw TooMany(`An owner has at most ${limits.groups} groups`)
    const group = { name, entries: [] }
    return {
      config: { ...config, groups: [...config.groups, group] },
      summary: `Add the address group ${name} of ${owner.username}`,
      reply: { ...show(group), description },
    }
  })
}

/** Deletes a group that no rule uses. */
export function deleteGroup(on: Webacl, { name, ...request }: OfGroup) {
  return editRules(on, request, ({ owner, config, library }) => {
    const group = groupOf(config, name)
    const rules = config.rulesets.flatMap(({ rules: own }) => own.map((rule) => completeRule(rule, library)))
    const user = rules.find(({ conditions }) =>
      conditions.some(({ operator, value }) => operator === 'in_group' && value === name),
    )
    if (user !== undefined) throw GroupUsed(`The rule "${user.name}" uses the group: change it first`)
    return {
      config: { ...config, groups: config.groups.filter((each) => each !== group) },
      summary: `Delete the address group ${name} of ${owner.username}`,
      reply: { success: true as const },
    }
  })
}

/** Lists the entries of a group as they were given. */
export async function listEntries(on: Webacl, { name, ...request }: OfGroup) {
  const config = await on.configs.read((await loadOwner(on, request)).id)
  return groupOf(config, name).entries.map((ip_or_subnet, id) => ({ id, ip_or_subnet }))
}

/** Appends entries to a group; the reply is the position of the first. */
export function addEntries(on: Webacl, { name, ...request }: OfGroup, given: readonly string[]) {
  return editRules(on, request, ({ owner, config }) => {
    const group = groupOf(config, name)
    const entries = given.map((text, index) =>
      checkedEntry(text, index === 0 ? 'ip_or_subnet' : `further.${index - 1}`),
    )
    const total = config.groups.reduce((sum, each) => sum + each.entries.length, entries.length)
    if (total > limits.entries) throw TooMany(`An owner has at most ${limits.entries} entries in all groups`)
    const what = entries.length === 1 ? entries[0] : `${entries.length} entries`
    return {
      config: withEntries(config, name, [...group.entries, ...entries]),
      summary: `Add ${what} to the address group ${name} of ${owner.username}`,
      reply: { id: group.entries.length },
    }
  })
}

/** Removes every entry that is exactly this text. */
export function deleteEntry(on: Webacl, { name, ...request }: OfGroup, entry: string) {
  return editRules(on, request, ({ owner, config }) => {
    const { entries } = groupOf(config, name)
    return {
      config: withEntries(
        config,
        name,
        entries.filter((each) => each !== entry),
      ),
      summary: `Remove ${entry} from the address group ${name} of ${owner.username}`,
      reply: { success: true as const },
    }
  })
}

function checkedEntry(text: string, field: string): string {
  const entry = text.trim()
  if (entry === '') throw EntryInvalid(`${field}: is required`)
  if (parseNetwork(entry) === undefined)
    throw EntryInvalid(
      `${field}: ${JSON.stringify(entry)} must be an address, or a network such as 192.0.2.0/24`,
    )
  return entry
}

function groupOf({ groups }: AccessConfig, name: string) {
  const group = groups.find((each) => each.name === name)
  if (group === undefined) throw GroupNotFound(`There is no group named "${name}"`)
  return group
}

const withEntries = (config: AccessConfig, name: string, entries: string[]): AccessConfig => ({
  ...config,
  groups: config.groups.map((each) => (each.name === name ? { ...each, entries } : each)),
})

const show = ({ name, entries }: AccessConfig['groups'][number]) => ({
  id: name,
  name,
  description: '',
  entry_count: entries.length,
})
