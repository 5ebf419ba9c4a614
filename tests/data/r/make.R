# Writes the R files of this folder: Rscript make.R. R 4.2 with tibble, haven, data.table and bit64.
# The objects of sdcMicro and synthpop have the slots and elements of sdcMicro 5.8 and synthpop 1.9.
suppressMessages({library(haven); library(tibble); library(data.table); library(bit64)})
set.seed(5); n <- 60

# Columns of every kind
f <- data.frame(number = rnorm(n), whole = c(NA, 2:n))
f$place <- iconv(rep(c("K\u00f6ln", "Ulm", NA), 20), "UTF-8", "latin1")
f$group <- addNA(factor(rep(c("a", "b", NA), 20), levels = c("unused", "a", "b")))
f$level <- factor(rep(c("low", "high"), 30), levels = c("low", "high"), ordered = TRUE)
f$day <- as.Date("1960-02-28") + 1:n; f$day[3] <- NA
f$moment <- as.POSIXct("2020-07-01 12:00:00", tz = "Europe/Berlin") + 3600 * (1:n)
f$calendar <- as.POSIXlt("2020-02-28 23:59:30", tz = "UTC") + (1:n) * 86400
f$span <- as.difftime(1:n, units = "mins")
f$member <- rep(c(TRUE, FALSE, NA), 20)
f$account <- as.integer64("9007199254740993") + 1:n; f$account[2] <- NA
f$texts <- as.character(c(NA, 2:n))
attr(f$whole, "label") <- "Whole numbers"
f$list <- lapply(1:n, seq_len); f$complex <- complex(n, 1, 2); f$matrix <- matrix(0, n, 2)
f$frame <- data.frame(inner = 1:n)
rownames(f) <- paste0("p", 1:n)
saveRDS(f, "kinds.rds")

# One table in the shapes, compressions and spellings that R has
t <- data.frame(age = sample(18:90, n, TRUE), sex = factor(sample(c("f", "m"), n, TRUE)), city = sample(c("Ulm", "Jena"), n, TRUE))
write.csv(t, "table.csv", row.names = FALSE)
saveRDS(t, "gzip.rds"); saveRDS(as_tibble(t), "xz.rds", compress = "xz"); saveRDS(as.data.table(t), "bzip2.rds", compress = "bzip2")
saveRDS(t, "text.rds", ascii = TRUE); saveRDS(t, "plain.rds", compress = FALSE, version = 2)
writeBin(serialize(t, NULL, xdr = FALSE), "native.rds")
other <- 1:3; environment <- new.env(); fun <- function(x) stop("never run")
save(t, other, environment, fun, file = "one.RData"); save(t, file = "text.rda", ascii = TRUE)
u <- t[t$age > 50, ]; save(t, u, file = "two.RData"); saveRDS(list(a = t, b = u), "list.rds")
saveRDS(list(1, "no table"), "none.rds"); saveRDS(t[0, ], "empty.rds")
saveRDS(cbind(t, raw = as.raw(1)), "raw.rds")
deep <- list(); for (i in 1:3000) deep <- list(deep); saveRDS(deep, "deep.rds")

# Codes with labels and missing values, the same as an SPSS file
l <- tibble(
  sex = labelled(rep(c(1, 2), 30), c(Male = 1, Female = 2), label = "Sex of the person"),
  trust = labelled_spss(rep(c(1:4, 98, 99), 10), c(none = 1, "don't know" = 98, refused = 99), na_values = c(98, 99)),
  income = labelled_spss(c(1:58, 998, 999), c(refused = 998), na_range = c(900, 999)),
  town = labelled(rep(c("u", "j"), 30), c(Ulm = "u")),
  vote = labelled_spss(rep(c("y", "n", "r", "x"), 15), c(yes = "y", refused = "r"), na_values = c("r", "x")))
v <- tagged_na("r", "d", "z"); tagged <- data.frame(trust = labelled(rep(c(1:6, NA, v), 6), c(none = 1, refused = v[1], "don't know" = v[2])))
saveRDS(tagged, "tagged.rds"); saveRDS(tagged, "tagged_text.rds", ascii = TRUE)
saveRDS(l, "labelled.rds"); write_sav(l, "labelled.sav")

# Objects that hold tables. sdcMicro: the slots that it has, NULL where nothing was done
library(methods)
slots <- c("origData", "keyVars", "pramVars", "numVars", "ghostVars", "weightVar", "hhId", "strataVar", "sensibleVar",
  "manipKeyVars", "manipPramVars", "manipNumVars", "manipGhostVars", "options", "deletedVars")
setClass("sdcMicroObj", representation = as.list(setNames(rep("ANY", length(slots)), slots)))
o <- data.frame(t, job = sample(c("smith", "clerk"), n, TRUE), pay = rnorm(n), weight = runif(n), home = rep(1:20, 3), phone = 1:n)
k <- data.frame(age = cut(o$age, c(17, 40, 60, 90)), sex = o$sex); k$sex[1:5] <- NA
s <- new("sdcMicroObj", origData = o, keyVars = 1:2, pramVars = 3, numVars = 5, weightVar = 6, hhId = 7, sensibleVar = 4,
  manipKeyVars = k, manipPramVars = data.frame(city = rev(o$city)), manipNumVars = data.frame(pay = ave(o$pay, o$home)),
  options = list(quote(f(x))), deletedVars = "phone")
saveRDS(s, "sdcmicro.rds"); save(s, t, file = "sdcmicro.RData")
r <- o; r[names(k)] <- k; r$city <- rev(o$city); r$pay <- ave(o$pay, o$home); r$phone <- NULL
write.csv(o, "sdcmicro_original.csv", row.names = FALSE, na = ""); write.csv(r, "sdcmicro_release.csv", row.names = FALSE, na = "")
y <- list(call = quote(syn(data = t, m = 2)), m = 2L, syn = list(t[sample(n), ], t), method = "sample"); class(y) <- "synds"
for (q in 1:2) rownames(y$syn[[q]]) <- NULL
saveRDS(y, "synthpop.rds"); y$m <- 1L; y$syn <- t; saveRDS(y, "synthpop_one.rds")
# The same as sdcMicro leaves it after removeDirectID: the places of columns are still those before
d <- data.frame(name = paste0("n", 1:n), o); d$phone <- NULL
s@origData <- d[-1]; s@deletedVars <- c("name", "phone"); s@ghostVars <- list(list(3, 4)); s@manipPramVars <- NULL
s@keyVars <- 2:3; s@pramVars <- NULL; s@numVars <- 6; s@weightVar <- 7; s@hhId <- 8; s@sensibleVar <- 5; s@manipGhostVars <- data.frame(city = rev(o$city))
saveRDS(s, "sdcmicro_deleted.rds")

# simPop: a sample, and the population made of it
setClassUnion("cN", c("character", "NULL")); setClassUnion("dN", c("data.frame", "NULL"))
setClass("dataObj", representation(data = "dN", hhid = "cN", pid = "cN", hhsize = "cN", weight = "cN", strata = "cN", ispopulation = "logical"))
setClassUnion("oN", c("dataObj", "NULL")); setClass("simPopObj", representation(sample = "oN", table = "dN", pop = "oN", basicHHvars = "cN"))
survey <- data.table(o[c("age", "sex", "city", "job", "weight")], home = rep(1:20, 3), size = 3L, key = "home"); survey$pid <- paste0(survey$home, ".", 1:3)
people <- survey[sample(n, 2 * n, TRUE), c("age", "sex", "city", "job", "home", "size", "pid")]; people$weight <- 1
held <- function(data, weight) new("dataObj", data = data, hhid = "home", pid = "pid", hhsize = "size", weight = weight, strata = "city", ispopulation = weight == "none")
saveRDS(new("simPopObj", sample = held(survey, "weight"), pop = held(people, "none"), basicHHvars = c("age", "sex")), "simpop.rds")
saveRDS(new("simPopObj", sample = held(survey, "weight")), "simpop_sample.rds")
write.csv(survey, "simpop_original.csv", row.names = FALSE); write.csv(people, "simpop_release.csv", row.names = FALSE)
saveRDS(list(s, t, t), "nameless.rds"); saveRDS(list(object = s, 1), "inner.rds"); saveRDS(1:3, "vector.rds"); saveRDS(sum, "function.rds")

# sdcMicro, when a column after the last key variable was deleted: clear by the numeric variable, unclear, and clear by the step before
slots <- c(slots, "prev"); setClass("sdcMicroObj", representation = as.list(setNames(rep("ANY", length(slots)), slots)))
o <- cbind(o[1:2], phone = 1:n, o[3:6], home = paste0("h", o$home))
unclear <- new("sdcMicroObj", origData = o, keyVars = 1:2, weightVar = 7, hhId = 8, sensibleVar = 5, manipKeyVars = k, deletedVars = NULL, prev = NULL)
kept <- unclear; kept@prev <- unclear; unclear@origData$phone <- kept@origData$phone <- NULL; unclear@deletedVars <- kept@deletedVars <- "phone"
between <- unclear; between@numVars <- 6; between@manipNumVars <- o["pay"]
save(unclear, kept, between, file = "sdcmicro_moved.RData")
