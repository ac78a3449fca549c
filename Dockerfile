# The command line in a container. Mount the project as /project:
#   docker run --rm -v "$PWD:/project" -u "$(id -u):$(id -g)" untold cook art/ --root . --out tiles/

FROM node:22-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:22-slim
ENV NODE_ENV=production
COPY --from=build /src/package.json /src/LICENSE /opt/untold/
COPY --from=build /src/bin /opt/untold/bin
COPY --from=build /src/dist /opt/untold/dist
COPY --from=build /src/pipelines /opt/untold/pipelines
COPY --from=build /src/node_modules /opt/untold/node_modules
RUN ln -s /opt/untold/bin/untold.js /usr/local/bin/untold
WORKDIR /project
USER node
ENTRYPOINT ["untold"]
