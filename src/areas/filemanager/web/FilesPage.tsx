import { Browser } from './Browser.tsx'
import { isNamed, usePlace } from './whose.ts'
import { WhoseFiles } from './WhoseFiles.tsx'

/** The files of an account, folder by folder. */
export function FilesPage() {
  const place = usePlace()
  return isNamed(place) ? (
    <Browser key={JSON.stringify(place.whose)} place={place} />
  ) : (
    <WhoseFiles place={place} />
  )
}
