import type { Icon } from '@tabler/icons-react'
import type { ComponentType } from 'react'

/** Loads the component of a page when the page is opened. */
export type LoadPage = () => Promise<ComponentType>

/** The pages of an area by path, and the icon of its menu entry if it has one. */
export interface AreaPages {
  readonly icon?: Icon
  readonly byPath: Readonly<Record<string, LoadPage>>
}

const found = import.meta.glob<AreaPages>('../areas/*/web/pages.ts', { eager: true, import: 'pages' })

/** The pages of every area that has some, by the name of the area. */
export const areaPages: ReadonlyMap<string, AreaPages> = new Map(
  Object.entries(found).map(([path, pages]) => [path.split('/')[2] ?? '', pages]),
)
