import { useQuery } from '@tanstack/react-query'
import { naturally } from '../kit/natural-order.ts'
import type { BuiltGuide } from './guide.ts'

const found = import.meta.glob<BuiltGuide>(
  ['../../../docs/guides/*.md', '!**/README.md'], // the index of the repository; the panel has its own
  { import: 'default' },
)
const loaders = new Map(Object.entries(found).map(([path, load]) => [path.replace(/^.*\/|\.md$/g, ''), load]))
const never = { staleTime: Number.POSITIVE_INFINITY, retry: false }

/** All guides by title. */
export const useGuides = () =>
  useQuery({
    queryKey: ['guides'],
    queryFn: async () => {
      const all = await Promise.all([...loaders].map(async ([name, load]) => ({ name, ...(await load()) })))
      return all.toSorted((a, b) => naturally(a.title, b.title))
    },
    ...never,
  })

/** One guide; null if none has the name. */
export const useGuide = (name: string) =>
  useQuery({
    queryKey: ['guides', name],
    queryFn: async () => (await loaders.get(name)?.()) ?? null,
    ...never,
  })
