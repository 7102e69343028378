import { Navigate } from '@tanstack/react-router'
import { useAreas } from '../../areas/programs/web/queries.ts'
import { Failure, Loading } from '../kit/states.tsx'

/** The areas that people land on, the first that their account may use. */
const landings: readonly string[] = ['dashboard', 'websites']

/** The front page: administrators see the state of the host, hosting users their websites. */
export function Landing() {
  const areas = useAreas()
  if (areas.error && !areas.data) return <Failure error={areas.error} onRetry={() => void areas.refetch()} />
  if (!areas.data) return <Loading />
  const allowed = new Map(
    areas.data.flatMap(({ name, allowed, path }) => (allowed && path ? [[name, path]] : [])),
  )
  const name = landings.find((each) => allowed.has(each))
  const path = name === undefined ? '/account' : allowed.get(name)
  return <Navigate to={path as never} replace />
}
