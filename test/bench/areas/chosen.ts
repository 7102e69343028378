import type { Area } from '../../../src/core/area.ts'

/** Stands for the list of areas in the bundle of this bench: the areas that were asked for. */
export const areas: Area<any, any>[] = []

/** A parameter of each module of the bundle. */
declare function requirePart(name: string): unknown

/** Loads areas by their names, each from a part of its own. */
export function loadAreas(names: readonly string[]): void {
  for (const name of names) areas.push((requirePart(`areas/${name}.cjs`) as { area: Area<any, any> }).area)
}
