import { apps, categories, stacks } from './entries.ts'
import type { Catalog, CatalogApp, CatalogStack } from './model.ts'
import { AppUnknown, StackUnknown } from './problems.ts'
import { maskEnv } from './templates.ts'

const withoutSecrets = <Running extends { readonly env: string[] }>(running: Running): Running => ({
  ...running,
  env: [...maskEnv(running.env)],
})

/** The catalog as callers see it: no template of a secret, and no secret. */
const shown: Catalog = {
  apps: apps.map(withoutSecrets),
  stacks: stacks.map((stack) => ({ ...stack, services: stack.services.map(withoutSecrets) })),
  categories: [...categories],
}

/** Returns the catalog with generated values masked. */
export const showCatalog = (): Catalog => shown

/** Returns an app of the catalog with its templates, or fails with 404. */
export function appOf(id: string): CatalogApp {
  const app = apps.find((entry) => entry.id === id)
  if (app === undefined) throw AppUnknown(`app_id: the catalog has no app "${id}"`)
  return app
}

/** Returns a stack of the catalog with its templates, or fails with 404. */
export function stackOf(id: string): CatalogStack {
  const stack = stacks.find((entry) => entry.id === id)
  if (stack === undefined) throw StackUnknown(`stack_id: the catalog has no stack "${id}"`)
  return stack
}
