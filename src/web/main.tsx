import '@mantine/core/styles.css'
import './shell/shell.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { returnFocus } from './kit/return-focus.ts'
import { queryClient } from './queries.ts'
import { router } from './router.tsx'
import { resume } from './session.ts'
import { cssVariables, theme } from './theme.ts'

const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? ''
Object.assign(globalThis, { styleNonce: nonce })

returnFocus(document)
void resume()
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
