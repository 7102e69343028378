import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { returnFocus } from './kit/return-focus.ts'
import { watchConnection } from './connection.ts'
import { followSession, queryClient } from './queries.ts'
import { router } from './router.tsx'
import { cssVariables, theme } from './theme.ts'
import './shell/shell.css' // last: it overrides the styles of components

let isOpen = false

/** Renders the panel; further calls do nothing. */
export function openPanel(): void {
  if (isOpen) return
  isOpen = true
  const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? ''
  Object.assign(globalThis, { styleNonce: nonce })
  returnFocus(document)
  followSession()
  watchConnection()
  createRoot(document.querySelector('#root') as HTMLElement).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}
