/**
 * What hosts boot from: the base of `base-packages.txt`, or the base with the Debian packages of one program installed. Programs
 * that exclude each other belong to different images.
 */
export const images = {
  base: [],
  haproxy: ['haproxy'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** The name of an image, as `bootHost` takes it. */
export type ImageName = keyof typeof images
