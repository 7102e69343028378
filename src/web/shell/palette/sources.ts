import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { type AreaEntry, useAreas } from '../../../areas/programs/web/queries.ts'
import { menuGroups } from '../../../core/menu.ts'
import { areaPages } from '../../area-pages.ts'
import { naturally } from '../../kit/natural-order.ts'
import { type PaletteEntry, rank } from './rank.ts'

/** Entries of one kind. */
export interface PaletteGroup {
  readonly label: string
  readonly entries: readonly PaletteEntry[]
}

/** Returns what the account may open that matches the text: pages, actions, and objects of the areas by name. */
export function usePaletteGroups(text: string): {
  readonly groups: readonly PaletteGroup[]
  readonly isPending: boolean
} {
  const areas = useAreas()
  const usable = (areas.data ?? []).filter(({ allowed, available }) => allowed && available)
  const found = useFound(usable, text.trim())
  const groups = [
    { label: 'Pages', entries: rank(pagesOf(usable), text) },
    { label: 'Actions', entries: rank(actionsOf(usable), text) },
    ...found.groups,
  ]
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    isPending: areas.isPending || found.isPending,
  }
}

function pagesOf(areas: readonly AreaEntry[]): readonly PaletteEntry[] {
  const rankOf = (group: string | null) => menuGroups.findIndex((each) => each === group)
  const inMenu = areas
    .filter(({ path }) => path !== null)
    .toSorted((a, b) => rankOf(a.group) - rankOf(b.group) || a.order - b.order)
    .map(({ title, path, group }) => pageEntry(path ?? '', title, group ?? ''))
  const others = areas.flatMap((area) =>
    Object.entries(areaPages.get(area.name)?.titles ?? {}).map(([path, title]) =>
      pageEntry(path, title, area.path === null ? '' : area.title),
    ),
  )
  return [...inMenu, ...others, pageEntry('/guides', 'Guides', 'Help')]
}

const pageEntry = (to: string, title: string, note: string): PaletteEntry => ({ key: to, title, note, to })

const actionsOf = (areas: readonly AreaEntry[]): readonly PaletteEntry[] =>
  areas.flatMap(({ name }) =>
    (areaPages.get(name)?.actions ?? []).map(({ title, to, dialog }) => ({
      key: `${to} ${dialog}`,
      title,
      to,
      search: { open: dialog },
    })),
  )

function useFound(areas: readonly AreaEntry[], text: string) {
  const searched = areas.flatMap(({ name, title }) => {
    const find = areaPages.get(name)?.find
    return find ? [{ name, title, find }] : []
  })
  const answers = useQueries({
    queries: searched.map(({ name, find }) => ({
      queryKey: ['found', name, text],
      queryFn: async ({ signal }: { signal: AbortSignal }) => (await find())(text, signal),
      enabled: text !== '',
      placeholderData: keepPreviousData,
    })),
  })
  const groups = searched.map(({ title }, index) => ({
    label: title,
    entries: (text === '' ? [] : (answers[index]?.data ?? []))
      .map((object) => ({ key: object.to, ...object }))
      .toSorted((a, b) => naturally(a.title, b.title)),
  }))
  return { groups, isPending: text !== '' && answers.some(({ isFetching }) => isFetching) }
}
