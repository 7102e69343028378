import { type DeclaredRule, declareRules } from '../../firewall/index.ts'
import type { Manifests } from '../context.ts'
import type { ManifestRule } from '../manifest-model.ts'
import { type Applying, type Part, PartDraft } from '../part.ts'

/** Decides on the firewall rules of a manifest. */
export async function decideRules(on: Manifests, { input, caller }: Applying): Promise<Part> {
  const part = new PartDraft()
  const wanted = input.manifest.firewall_rules
  if (wanted === undefined) return part
  const declared = await declareRules(on.firewall, wanted.map(asDraft), {
    userId: caller.user.id,
    ids: input.ids.firewall_rules,
    prune: input.prune,
  })
  for (const [index, text] of declared.added)
    part.add({
      ...{ action: 'create', object: `firewall rule ${text}` },
      ...{ path: `firewall_rules[${index}]`, details: [] },
    })
  for (const text of declared.deleted)
    part.add({ action: 'delete', object: `firewall rule ${text}`, path: null, details: [] })
  if (declared.isReordered)
    part.add({ action: 'change', object: 'firewall rules', path: 'firewall_rules', details: ['their order'] })
  if (declared.change !== undefined) part.changes.push(declared.change)
  part.risks.push(...declared.risks)
  return part
}

const asDraft = ({ ports, ...rule }: ManifestRule): DeclaredRule => ({
  ...rule,
  ...(ports !== undefined && { ports: ports.map(String) }),
})
