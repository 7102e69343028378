import { Navigate, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useInstalling } from '../../areas/programs/web/Installing.tsx'
import { missingProgram, useAreas } from '../../areas/programs/web/queries.ts'
import { Page } from '../kit/Page.tsx'
import { NotPermitted } from '../kit/states.tsx'
import { ProgramMissing } from './ProgramMissing.tsx'

/**
 * The page, or in its place what is missing: a right of the account, or a program on this host. No button that the
 * area refuses.
 */
export function AreaGate({ children }: { readonly children: ReactNode }) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const { data } = useAreas()
  const area = data?.find((each) => each.path && (path === each.path || path.startsWith(`${each.path}/`)))
  const installing = useInstalling(area?.name) // its dialog stays where the page returns
  if (!area) return children
  if (area.denial !== null) {
    // somebody else may have signed in where an administrator signed out
    if (area.name === 'dashboard') return <Navigate to={'/' as never} replace />
    return (
      <Page title={area.title}>
        <NotPermitted>{area.denial}</NotPermitted>
      </Page>
    )
  }
  const missing = missingProgram(area)
  return (
    <>
      {missing ? (
        <ProgramMissing
          area={area}
          program={missing}
          isStarting={installing.isStarting}
          onInstall={() => installing.start(missing.name)}
        />
      ) : (
        children
      )}
      {installing.dialog}
    </>
  )
}
