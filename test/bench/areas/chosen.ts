import { createRequire } from 'node:module'
import type { Area } from '../../../src/core/area.ts'

/** Stands for the list of areas in the bundle of this bench: the areas that were asked for. */
export const areas: Area<any, any>[] = []

/** Loads areas by their names, each from a chunk of its own. */
export function loadAreas(names: readonly string[]): void {
  const load = createRequire(import.meta.url)
  for (const name of names) areas.push((load(`./areas/${name}.cjs`) as { area: Area<any, any> }).area)
}
