import { automation as automationApps } from './apps/automation.ts'
import { databases as databaseApps } from './apps/databases.ts'
import { monitoring as monitoringApps } from './apps/monitoring.ts'
import { office } from './apps/office.ts'
import { tools as toolApps } from './apps/tools.ts'
import { websites as websiteApps } from './apps/websites.ts'
import type { AppEntry, StackEntry } from './entry.ts'
import type { CatalogApp, CatalogStack, Category } from './model.ts'
import { automation as automationStacks } from './stacks/automation.ts'
import { databases as databaseStacks } from './stacks/databases.ts'
import { monitoring as monitoringStacks } from './stacks/monitoring.ts'
import { tools as toolStacks } from './stacks/tools.ts'
import { websites as websiteStacks } from './stacks/websites.ts'

const appsByCategory: Readonly<Record<Category, readonly AppEntry[]>> = {
  Websites: websiteApps,
  Databases: databaseApps,
  Automation: automationApps,
  Monitoring: monitoringApps,
  Tools: [...toolApps, ...office],
}

const stacksByCategory: Readonly<Record<Category, readonly StackEntry[]>> = {
  Websites: websiteStacks,
  Databases: databaseStacks,
  Automation: automationStacks,
  Monitoring: monitoringStacks,
  Tools: toolStacks,
}

/** The categories, in the order in which they are shown. */
export const categories: readonly Category[] = ['Websites', 'Databases', 'Automation', 'Monitoring', 'Tools']

/** The apps of the catalog, with their templates. */
export const apps: readonly CatalogApp[] = categories.flatMap((category) =>
  appsByCategory[category].map((entry) => ({ ...entry, category })),
)

/** The stacks of the catalog, with their templates. */
export const stacks: readonly CatalogStack[] = categories.flatMap((category) =>
  stacksByCategory[category].map((entry) => ({ ...entry, category })),
)
