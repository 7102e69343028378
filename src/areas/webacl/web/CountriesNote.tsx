import { Alert, Text } from '@mantine/core'
import { useLibrary } from './queries.ts'

/** Tells by which file conditions compare countries, and how old it is. */
export function CountriesNote({ website }: { readonly website: number }) {
  const { data } = useLibrary(website)
  if (data === undefined) return null
  const { file, built_at: built, stale, reason } = data.countries
  const day = built?.slice(0, 10)
  if (stale)
    return (
      <Alert color="orange" title="The file of countries is old">
        <Text size="sm" className="anywhere">
          {file} was built on {day}, more than 90 days ago. Replace it, then apply the rules.
        </Text>
      </Alert>
    )
  return (
    <Text size="sm" c="dimmed" className="anywhere">
      {reason === null
        ? `Conditions on countries use ${file}, built on ${day}.`
        : `Conditions on countries are off: ${reason}.`}
    </Text>
  )
}
