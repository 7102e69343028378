import type { Icon } from '@tabler/icons-react'
import type { ComponentType } from 'react'

/** Loads the component of a page when the page is opened. */
export type LoadPage = () => Promise<ComponentType>

/** An action that the command palette offers: a page, opened with the dialog of the action. */
export interface AreaAction {
  readonly title: string
  readonly to: string
  /** The dialog that the page opens, as it names it in `useLinkedDialog`. */
  readonly dialog: string
}

/** An object of an area that was found by its name. */
export interface FoundObject {
  readonly title: string
  readonly note?: string
  readonly to: string
}

/** Finds up to five objects of an area by a part of their name. */
export type FindObjects = (text: string, signal: AbortSignal) => Promise<readonly FoundObject[]>

/** A link among the next steps on the page of a website; those with a lower order come first. */
export interface WebsiteStep {
  readonly order: number
  readonly title: string
  readonly detail: string
  readonly linkOf: (website: { readonly id: number; readonly domain: string }) => {
    readonly to: string
    readonly search?: Readonly<Record<string, string | number>>
  }
}

/** The pages of an area by path, the icon of its menu entry, and its part of the command palette. */
export interface AreaPages {
  readonly icon?: Icon
  readonly byPath: Readonly<Record<string, LoadPage>>
  /** The document of docs/guides that explains the area, without `.md`. */
  readonly guide?: string
  /** The names of pages that the menu does not name, in the command palette and in breadcrumbs. */
  readonly titles?: Readonly<Record<string, string>>
  readonly actions?: readonly AreaAction[]
  /** Loads the search of the command palette for objects of the area. */
  readonly find?: () => Promise<FindObjects>
  /** The next steps that the area offers for a website. */
  readonly websiteSteps?: readonly WebsiteStep[]
}

const found = import.meta.glob<AreaPages>(['../areas/*/web/pages.ts', './guides/pages.ts'], {
  eager: true,
  import: 'pages',
})

/** The pages of every area that has some, by the name of the area; those of the guides are in the shell. */
export const areaPages: ReadonlyMap<string, AreaPages> = new Map(
  Object.entries(found).map(([path, pages]) => [
    /([\w-]+)(?:\/web)?\/pages\.ts$/.exec(path)?.[1] ?? '',
    pages,
  ]),
)
