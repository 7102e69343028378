import { Button, Text, TextInput, Title } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { Backend, Frontend } from '../model.ts'
import { BackendCard } from './BackendCard.tsx'
import type { Asking } from './Dialogs.tsx'
import { backendMatches, frontendMatches, inOrderOfUse, waysOf } from './flow.ts'
import { FrontendCard } from './FrontendCard.tsx'
import type { Snapshot } from './traffic.ts'
import { Ways } from './Ways.tsx'
import classes from './Picture.module.css'

export interface PictureProps {
  readonly frontends: readonly Frontend[]
  readonly backends: readonly Backend[]
  readonly traffic: Snapshot | undefined
  readonly isRunning: boolean
  readonly onAsk: (asking: Asking) => void
  readonly onPlot: (key: string) => void
}

const step = 40
const fewEnough = 8
/** The number of server rows that are shown at first, distributed over the backends. */
const manyServers = 240

/** The load balancer as a diagram: frontends on the left, their backends with servers on the right. */
export function Picture({ frontends, backends, traffic, isRunning, onAsk, onPlot }: PictureProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [search, setSearch] = useState('')
  const [most, setMost] = useState(step)
  const [chosen, setChosen] = useState<string>()
  const letters = search.trim().toLowerCase()
  const ways = waysOf(frontends, backends)
  const foundBackends = inOrderOfUse(backends, ways).filter(
    (each) => letters === '' || backendMatches(each, letters) || leadsTo(each.name),
  )
  const foundFrontends = frontends.filter(
    (each) => letters === '' || frontendMatches(each, letters) || leadsFrom(each.name),
  )
  const [shownFrontends, shownBackends] = [foundFrontends.slice(0, most), foundBackends.slice(0, most)]
  const rest = Math.max(foundFrontends.length, foundBackends.length) - most
  const mostServers = Math.min(12, Math.max(3, Math.floor(manyServers / Math.max(1, shownBackends.length))))
  const same = { traffic, isRunning, onAsk, onPlot }

  function leadsTo(backend: string): boolean {
    return ways.some(
      (way) =>
        way.backend === backend &&
        frontends.some((each) => each.name === way.frontend && frontendMatches(each, letters)),
    )
  }
  function leadsFrom(frontend: string): boolean {
    return ways.some(
      (way) =>
        way.frontend === frontend &&
        backends.some((each) => each.name === way.backend && backendMatches(each, letters)),
    )
  }
  return (
    <section aria-label="Frontends and backends">
      {frontends.length + backends.length > fewEnough && (
        <TextInput
          type="search"
          mb="md"
          maw={360}
          aria-label="Search frontends, backends and servers"
          placeholder="Search frontends, backends and servers"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          maxLength={200}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <div ref={frame} className={classes.picture}>
        <Ways frame={frame} ways={ways} traffic={traffic} chosen={chosen} />
        <div className={classes.side}>
          <Title order={2} size="h4">
            Frontends
          </Title>
          {foundFrontends.length === 0 && (
            <Nothing>{letters ? 'None matches.' : 'None yet: the backends cannot be reached.'}</Nothing>
          )}
          {shownFrontends.map((each) => (
            <FrontendCard
              key={each.name}
              frontend={each}
              ways={ways.filter(({ frontend }) => frontend === each.name)}
              onChoose={setChosen}
              {...same}
            />
          ))}
        </div>
        <div className={classes.side}>
          <Title order={2} size="h4">
            Backends
          </Title>
          {foundBackends.length === 0 && (
            <Nothing>{letters ? 'None matches.' : 'None yet: the frontends have no destination.'}</Nothing>
          )}
          {shownBackends.map((each) => (
            <BackendCard
              key={each.name}
              backend={each}
              isUsed={ways.some(({ backend }) => backend === each.name)}
              letters={letters}
              mostServers={mostServers}
              onChoose={setChosen}
              {...same}
            />
          ))}
        </div>
      </div>
      {rest > 0 && (
        <Button mt="md" variant="default" onClick={() => setMost(most + step)}>
          Show {Math.min(step, rest)} more
        </Button>
      )}
    </section>
  )
}

function Nothing({ children }: { readonly children: string }) {
  return (
    <Text size="sm" c="dimmed" className={classes.nothing}>
      {children}
    </Text>
  )
}
