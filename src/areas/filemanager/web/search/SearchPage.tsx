import { useRef } from 'react'
import { useGo } from '../../../../web/kit/RowLink.tsx'
import { FilesFrame } from '../FilesFrame.tsx'
import { isNamed, type Place, usePlace } from '../whose.ts'
import { WhoseFiles } from '../WhoseFiles.tsx'
import { addressOf, type AskedSearch, useAskedSearch } from './asked.ts'
import { useFinding } from './finding.ts'
import { Results } from './Results.tsx'
import { SearchForm } from './SearchForm.tsx'

/** Searches a home for files by name or for lines by content. */
export function SearchPage() {
  const place = usePlace()
  return isNamed(place) ? <Search place={place} /> : <WhoseFiles place={place} />
}

function Search({ place }: { readonly place: Place }) {
  const go = useGo()
  const asked = useAskedSearch()
  const { finding, stop, again } = useFinding(place.whose, place.path, asked)
  const box = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const begin = (next: AskedSearch) =>
    JSON.stringify(next) === JSON.stringify(asked)
      ? again()
      : go({ to: '/files/search', search: addressOf(place, next) })
  return (
    <FilesFrame place={place} tab="search">
      <SearchForm
        first={asked}
        folder={place.path}
        isSearching={finding.state === 'searching'}
        box={box}
        onSearch={begin}
        onStop={stop}
        onDown={() => list.current?.querySelector<HTMLElement>('[data-found] a')?.focus()}
      />
      <Results
        place={place}
        asked={asked}
        finding={finding}
        list={list}
        onAgain={again}
        onUp={() => box.current?.focus()}
      />
    </FilesFrame>
  )
}
