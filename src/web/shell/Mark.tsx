/** The logo of the panel. */
export function Mark({ size = 26 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#3b5bdb" />
      <path d="M9 8v16M23 8v16M9 16h14" stroke="#fff" strokeWidth="3.4" strokeLinecap="round" />
      <circle cx="16" cy="16" r="3.6" fill="#3b5bdb" stroke="#fff" strokeWidth="2.2" />
    </svg>
  )
}
