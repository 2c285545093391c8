# Writes values of spatstat for test_spatial.cpp: Rscript spatstat.R FILE. Exit status 77 where spatstat is missing.
# Each line: a word, then numbers. `points` has x, y, category and size of each point.
if (!suppressWarnings(suppressMessages(require(spatstat.explore) && require(spatstat.model)))) {
  cat("skipped: spatstat is missing (Debian: apt install r-cran-spatstat.model)\n")
  quit(status = 77)
}
file <- file(commandArgs(TRUE)[1], "w")
line <- function(...) cat(..., "\n", file = file)
numbers <- function(word, values) line(word, paste(format(values, digits = 8, trim = TRUE), collapse = " "))
set.seed(7)

# Kest() takes the weights of a polygon from pixels: these are its exact ones.
translated <- function(X, r) {
  close <- closepairs(X, max(r), what = "all")
  weights <- edge.Trans(dx = close$dx, dy = close$dy, W = Window(X), paired = TRUE, exact = TRUE)
  sapply(r, function(one) sum(weights[close$d <= one])) * area(X) / (npoints(X) * (npoints(X) - 1))
}

# In a polygon, and of categories, spatstat moves a point's distance to the border to the next radius: these are exact.
seen <- function(X, r, from = TRUE, to = TRUE) {
  close <- closepairs(X, max(r), what = "ijd")
  depth <- bdist.points(X)
  from <- rep(from, length.out = npoints(X))
  to <- rep(to, length.out = npoints(X))
  sapply(r, function(one) sum(close$d <= one & depth[close$i] >= one & from[close$i] & to[close$j]) / sum(depth >= one & from)) *
    area(X) / sum(to)
}

write_pattern <- function(name, X, r, small) {
  W <- Window(X)
  line("pattern", name)
  if (is.rectangle(W)) numbers("rectangle", c(W$xrange[1], W$yrange[1], W$xrange[2], W$yrange[2]))
  else for (ring in W$bdry) numbers("ring", rbind(ring$x, ring$y))
  numbers("points", rbind(X$x, X$y, as.integer(marks(X)$kind) - 1, marks(X)$size))
  bare <- unmark(X)
  K <- Kest(bare, r = r, correction = c("none", "border", "isotropic", "translate"), nlarge = Inf)
  numbers("radii", r)
  numbers("K none", K$un)
  numbers("K border", seen(bare, r))
  numbers("K isotropic", K$iso)
  exact <- if (is.rectangle(W)) K$trans else translated(bare, r)
  numbers("K translation", exact)
  numbers("L translation", sqrt(exact / pi))
  g <- pcf(bare, r = r, correction = c("none", "isotropic", "translate"), divisor = "r")
  for (one in list(c("isotropic", "iso"), c("translation", "trans"))) numbers(paste("g", one[1]), g[[one[2]]])
  kind <- setmarks(X, marks(X)$kind)
  cross <- Kcross(kind, "oak", "elm", r = r, correction = c("none", "border", "isotropic", "translate"))
  numbers("cross-K none", cross$un)
  numbers("cross-K border", seen(bare, r, marks(X)$kind == "oak", marks(X)$kind == "elm"))
  numbers("cross-K isotropic", cross$iso)
  if (is.rectangle(W)) numbers("cross-K translation", cross$trans)
  h <- 0.15 / sqrt(intensity(bare))
  numbers("mark-connection isotropic", markconnect(kind, "oak", "elm", r = r, correction = "isotropic", method = "density", kernel = "epanechnikov", bw = h / sqrt(5))$iso)
  numbers("mark-correlation isotropic", markcorr(setmarks(X, marks(X)$size), r = r, correction = "isotropic", method = "density", kernel = "epanechnikov", bw = h / sqrt(5))$iso)
  numbers("radii", small)
  G <- Gest(bare, r = small, correction = c("none", "rs", "km", "han"))
  F <- Fest(bare, r = small, correction = c("none", "rs", "km", "cs"), checkspacing = FALSE)
  J <- Jest(bare, r = small, correction = c("none", "rs", "km"), checkspacing = FALSE)
  numbers("G none", G$raw)
  numbers("G border", G$rs)
  numbers("G kaplan-meier", G$km)
  numbers("G hanisch", G$han)
  numbers("F none", F$raw)
  numbers("F border", F$rs)
  numbers("F kaplan-meier", F$km)
  numbers("F hanisch", F$cs)
  numbers("J none", J$un)
  numbers("J border", J$rs)
  numbers("J kaplan-meier", J$km)
  numbers("clark-evans", c(clarkevans(bare, correction = c("none", "cdf")), clarkevans.test(bare, correction = "none")$p.value,
                           if (is.rectangle(W)) clarkevans(bare, correction = "Donnelly") else NA))
  # The χ² of clipped quadrats, with their exact areas.
  quadrats <- quadrat.test(bare, nx = 4, ny = 3)
  numbers("quadrats", c(quadrats$statistic, quadrats$parameter, quadrats$p.value))
  numbers("bandwidths", c(bw.scott.iso(bare), bw.diggle(bare, hmax = 1), bw.ppl(bare, srange = c(0.05, 1), ns = 64)))
  pixels <- seq(12, 120, by = 12)
  for (diggle in c(FALSE, TRUE))
    numbers(if (diggle) "intensity diggle" else "intensity uniform", t(density(bare, sigma = 0.6, diggle = diggle)$v[pixels, pixels]))
  fitted <- Kest(bare, correction = "translate")
  for (one in c("thomas", "matern")) {
    fit <- if (one == "thomas") thomas.estK(fitted, c(kappa = 1, scale = 0.3)) else matclust.estK(fitted, c(kappa = 1, scale = 0.3))
    numbers(one, c(fit$modelpar["kappa"], if (one == "thomas") sqrt(fit$par[2]) else fit$par[2]))
  }
}

made <- function(W, kappa) {
  X <- rThomas(kappa, 0.4, 6, win = W)
  X <- ppp(round(X$x, 4), round(X$y, 4), window = W)
  kinds <- factor(sample(c("oak", "elm"), npoints(X), TRUE), levels = c("oak", "elm"))
  setmarks(X, data.frame(kind = kinds, size = round(runif(npoints(X), 1, 3) + X$x / 10, 4)))
}
write_pattern("rectangle", made(owin(c(0, 10), c(1, 7)), 0.5), seq(0, 1.5, length = 16), seq(0, 0.8, length = 9))
outer <- list(x = c(0, 10, 11, 6, 5, 0.5), y = c(0, -1, 6, 7.5, 5, 6))
hole <- list(x = c(3, 3.5, 5, 4.5), y = c(2, 4, 3.5, 1.5))
write_pattern("polygon", made(owin(poly = list(outer, hole)), 0.4), seq(0, 1.5, length = 16), seq(0, 0.8, length = 9))
close(file)
