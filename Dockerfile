# The service in an image: docker build --tag stagecraft .
# DRIVERS are packages with native code, for warehouses that its connections may use beside those of the command itself.
FROM node:24-slim AS build
WORKDIR /source
COPY . .
RUN npm run -s setup \
 && npm run -s build \
 && npm run -s pn -- --filter @stagecraft/cli pack --pack-destination /packages
WORKDIR /app
ARG DRIVERS="@duckdb/node-api@1.5.6-r.1"
# hadolint ignore=DL3016
RUN echo '{ "private": true }' > package.json \
 && npm install --omit=dev --no-audit --no-fund /packages/*.tgz $DRIVERS

FROM node:24-slim
# git and ssh are for pushes; their fixes come with the base image, so that no version is pinned
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates git openssh-client \
 && rm -rf /var/lib/apt/lists/* \
 && install --directory --owner=node --group=node --mode=0700 /data
COPY --from=build /app /app
USER 1000
ENV NODE_ENV=production STAGECRAFT_DATA=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:8080/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/@stagecraft/cli/dist/bundle/bin.js"]
CMD ["serve", "--host", "0.0.0.0"]
