import Type, { type Static } from 'typebox'
import { type Change, change, step } from '../../core/change.ts'
import { type WebadminArea, work } from './context.ts'
import { WebadminUpdated } from './model.ts'
import { servingStep, webadminLock } from './serving.ts'
import { loadServed } from './status.ts'
import { webadmin } from './store.ts'

/** Installs the newest version in the place of the one that is served, with the same configuration and alias. */
export const updating = work({
  kind: 'webadmin.update',
  input: Type.Object({}),
  reply: WebadminUpdated,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: ({ webadmin }) => update(webadmin),
})

async function update(on: WebadminArea): Promise<Change<Static<typeof WebadminUpdated>>> {
  const { tool, bases } = on
  const served = await loadServed(on)
  const { version: former } = served
  const release = await tool.newest(bases)
  const { version } = release
  if (tool.compareVersions(version, former) <= 0)
    return change({
      summary: `phpMyAdmin ${former} is the newest version`,
      locks: [webadminLock],
      reply: { success: true, old_version: former, new_version: former },
    })
  return change({
    summary: `Update phpMyAdmin from ${former} to ${version}`,
    locks: [webadminLock],
    steps: [
      step(tool.steps.unpack, { ...release, bases }),
      servingStep(on, await on.serving(), { ...served, version }),
      step(tool.steps.removeRelease, { version: former }),
    ],
    rows: [webadmin.update(served, { version })],
    reply: { success: true, old_version: former, new_version: version },
  })
}
