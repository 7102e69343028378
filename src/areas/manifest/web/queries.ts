import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import type { ManifestDraft, ManifestPlanDraft, ManifestSection } from '../model.ts'
import { manifest } from './api.ts'

/** A manifest of many objects takes minutes. */
const limitMs = 3_600_000

/** POST /manifest/plan */
export const planOf = (draft: ManifestPlanDraft) =>
  run(manifest.planManifest({ body: draft, limitMs: 300_000 }))

/** POST /manifest/apply */
export const applying = (draft: ManifestDraft) => manifest.applyManifest({ body: draft, limitMs })

/** GET /manifest/export */
export const exported = (section: ManifestSection | undefined) =>
  run(
    manifest.exportManifest({
      query: { format: 'yaml', ...(section !== undefined && { section }) },
      limitMs: 300_000,
    }),
  )

/** Reads everything again that a manifest may have changed. */
export const readObjectsAgain = (): Promise<void> =>
  readAgain('users', 'websites', 'databases', 'authdns', 'firewall')
