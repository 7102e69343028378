import { Browser } from './Browser.tsx'
import { isNamed, usePlace } from './whose.ts'
import { WhoseFiles } from './WhoseFiles.tsx'

/** The file browser of an account. */
export function FilesPage() {
  const place = usePlace()
  return isNamed(place) ? (
    <Browser key={JSON.stringify(place.whose)} place={place} />
  ) : (
    <WhoseFiles place={place} />
  )
}
