import type { CatalogApp, CatalogPart, CatalogStack } from './model.ts'

/** An app as its file declares it: the catalog adds the category. */
export type AppEntry = Omit<CatalogApp, 'category'>

/** A stack as its file declares it: the catalog adds the category. */
export type StackEntry = Omit<CatalogStack, 'category'>

export type ServiceEntry = CatalogPart
