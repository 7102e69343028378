import { Navigate, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAreas } from '../../areas/programs/web/queries.ts'
import { Page } from '../kit/Page.tsx'
import { NotPermitted } from '../kit/states.tsx'

/** The page, or in its place what is missing for an account that may not use the area: no button that it refuses. */
export function AreaGate({ children }: { readonly children: ReactNode }) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const { data } = useAreas()
  const area = data?.find((each) => each.path && (path === each.path || path.startsWith(`${each.path}/`)))
  if (!area || area.denial === null) return children
  // somebody else may have signed in where an administrator signed out
  if (area.name === 'dashboard') return <Navigate to={'/' as never} replace />
  return (
    <Page title={area.title}>
      <NotPermitted>{area.denial}</NotPermitted>
    </Page>
  )
}
